-- Ride parties and who has a seat in them.
--
-- Users are known by id only; their accounts are the auth service's. Ids stay below 2^53, so that
-- JavaScript reads them exactly.
create table party (
    id bigint generated always as identity (maxvalue 9007199254740991),
    owner_id bigint not null,
    title text not null,
    note text,
    origin_name text not null,
    origin_latitude double precision not null,
    origin_longitude double precision not null,
    -- The origin as anybody may see it: rounded to a thousandth of a degree, 180 degrees east
    -- written as 180 west, so that one meridian has one number. The map looks only at these: on the
    -- exact position, ever smaller boxes would find it.
    shown_latitude double precision not null
        generated always as (round(origin_latitude::numeric, 3)::double precision) stored,
    shown_longitude double precision not null
        generated always as (
            case
                when round(origin_longitude::numeric, 3) = 180 then -180
                else round(origin_longitude::numeric, 3)::double precision
            end
        ) stored,
    destination_name text not null,
    destination_latitude double precision not null,
    destination_longitude double precision not null,
    departs_at timestamptz not null,
    seats smallint not null,
    -- Rows of party_member. Kept here so that one row's lock and one constraint decide who gets the
    -- last seat.
    member_count smallint not null,
    created_at timestamptz not null,
    cancelled_at timestamptz,
    constraint party_primary primary key (id),
    constraint party_owner_id_range check (owner_id between 1 and 9007199254740991),
    constraint party_origin_range check (
        origin_latitude between -90 and 90 and origin_longitude between -180 and 180
    ),
    constraint party_destination_range check (
        destination_latitude between -90 and 90 and destination_longitude between -180 and 180
    ),
    -- Wider than what the service accepts: its bound may be configured, this one protects the
    -- table.
    constraint party_seats_range check (seats between 2 and 20),
    constraint party_members_have_seats check (member_count between 1 and seats)
);

create index party_shown_position on party (shown_latitude, shown_longitude)
where cancelled_at is null;

create table party_member (
    party_id bigint not null,
    user_id bigint not null,
    joined_at timestamptz not null,
    constraint party_member_primary primary key (party_id, user_id),
    constraint party_member_party foreign key (party_id) references party (id) on delete cascade,
    constraint party_member_user_id_range check (user_id between 1 and 9007199254740991)
);
