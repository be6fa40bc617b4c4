-- Countries, leagues, teams, their seasons and matches, who follows what.

create table country (
    code text not null,
    name_en text not null,
    name_ko text not null,
    constraint country_primary primary key (code),
    constraint country_code_form check (code ~ '^[A-Z]{2}$')
);

create table league (
    id bigint not null,
    country_code text not null,
    name_en text not null,
    name_ko text not null,
    -- Names of league and country and the country's code, folded, a space before each word.
    search_key text not null,
    source text not null,
    constraint league_primary primary key (id),
    constraint league_country foreign key (country_code) references country (code)
);
create index league_by_country on league (country_code, id);

create table team (
    id bigint not null,
    league_id bigint not null,
    name_en text not null,
    name_ko text not null,
    -- Not unique: unrelated teams share codes.
    code text not null,
    -- Names and code, folded, a space before each word.
    search_key text not null,
    source text not null,
    constraint team_primary primary key (id),
    constraint team_league foreign key (league_id) references league (id)
);

create table season (
    league_id bigint not null,
    starts_on date not null,
    ends_on date not null,
    source text not null,
    constraint season_primary primary key (league_id, starts_on),
    constraint season_league foreign key (league_id) references league (id),
    constraint season_is_a_year_at_most check (ends_on between starts_on and starts_on + 366)
);

create table fixture (
    id bigint not null,
    league_id bigint not null,
    season_starts_on date not null,
    -- Teams, without a foreign key: two look-ups a match were half of the time of a first start, and a
    -- league's teams are written in the same transaction before its matches and never deleted.
    home_id bigint not null,
    away_id bigint not null,
    kicks_off_at timestamptz not null,
    postponed boolean not null,
    source text not null,
    constraint fixture_primary primary key (id),
    constraint fixture_season foreign key (league_id, season_starts_on)
        references season (league_id, starts_on),
    constraint fixture_of_two check (home_id <> away_id)
);
create index fixture_by_time on fixture (kicks_off_at, id);
create index fixture_by_league on fixture (league_id, kicks_off_at, id);

create table follow (
    user_id bigint not null,
    league_id bigint not null,
    followed_at timestamptz not null,
    constraint follow_primary primary key (user_id, league_id),
    constraint follow_league foreign key (league_id) references league (id)
);

-- The zones PostgreSQL knows, because asking pg_timezone_names reads hundreds of files, and because
-- "at time zone" takes more than IANA names.
create table time_zone (
    name text not null,
    constraint time_zone_primary primary key (name)
);
