-- What sports sent in the demo scenario, each once; but for 5, whose parameters
-- have types that the text does not tell.
insert into country (code, name_en, name_ko)
values ($1, $2, $3)
on conflict on constraint country_primary do nothing
;
insert into follow (user_id, league_id, followed_at)
values ($1, $2, $3)
on conflict on constraint follow_primary do nothing
;
insert into time_zone (name)
select name from pg_timezone_names
where name !~ '^(posix|right)/' and name not in ('localtime', 'posixrules', 'Factory')
    and not exists (select from time_zone limit 1)
on conflict on constraint time_zone_primary do nothing
;
select 0::bigint, league.id, league.name_en, league.name_ko, league.source,
country.code, country.name_en, country.name_ko, present.starts_on, present.ends_on
from follow join league on league.id = follow.league_id join country on country.code = league.country_code
cross join lateral (
    select starts_on, ends_on from season where season.league_id = league.id
    order by starts_on <= $1::date desc, abs(starts_on - $2::date) limit 1
) as present
where follow.user_id = $3 and follow.league_id > $4
order by follow.league_id limit $5
;
select 1::bigint from pg_advisory_xact_lock($1)
;
select fixture.id, fixture.kicks_off_at, fixture.postponed,
    league.id, league.name_en, league.name_ko,
    home.id, home.name_en, home.name_ko, home.code,
    away.id, away.name_en, away.name_ko, away.code
from fixture join league on league.id = fixture.league_id
    join team as home on home.id = fixture.home_id
    join team as away on away.id = fixture.away_id
where fixture.kicks_off_at >= $1
    and fixture.kicks_off_at < $2
    and (fixture.kicks_off_at at time zone $3::text)::date = $4
    and (fixture.kicks_off_at, fixture.id)
        > ($5, $6)
    
order by fixture.kicks_off_at, fixture.id limit $7
;
select league_id, starts_on from season
where starts_on between $1::date - 400 and $2::date
order by league_id, starts_on limit 20000
;
select name from time_zone where name = $1
;
