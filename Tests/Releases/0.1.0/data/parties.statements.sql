-- What parties sent in the demo scenario, each once; but for 0, whose parameters
-- have types that the text does not tell.
select id, owner_id, title, note, origin_name, origin_latitude, origin_longitude,
shown_latitude, shown_longitude, destination_name, destination_latitude,
destination_longitude, departs_at, seats, cancelled_at,
array(
    select user_id from party_member
    where party_id = party.id order by joined_at, user_id
),
array(
    select (extract(epoch from joined_at) * 1000000)::bigint from party_member
    where party_id = party.id order by joined_at, user_id
) from party
where shown_latitude between $1 and $2
    and (
        shown_longitude
            between $3 and $4
        or shown_longitude
            between $5 and $6
    )
    and cancelled_at is null and departs_at > $7 and member_count < seats
    and id < $8
order by id desc limit $9
;
select id, owner_id, title, note, origin_name, origin_latitude, origin_longitude,
shown_latitude, shown_longitude, destination_name, destination_latitude,
destination_longitude, departs_at, seats, cancelled_at,
array(
    select user_id from party_member
    where party_id = party.id order by joined_at, user_id
),
array(
    select (extract(epoch from joined_at) * 1000000)::bigint from party_member
    where party_id = party.id order by joined_at, user_id
) from party where id = $1
;
select seats, member_count, departs_at, cancelled_at from party
where id = $1 for update
;
with created as (
    insert into party (
        owner_id, title, note, origin_name, origin_latitude, origin_longitude,
        destination_name, destination_latitude, destination_longitude, departs_at, seats,
        member_count, created_at
    ) values (
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9,
        $10, $11, 1, $12
    )
    returning id
), seated as (
    insert into party_member (party_id, user_id, joined_at)
    select id, $13, $14 from created
)
select id from created
;
with joined as (
    insert into party_member (party_id, user_id, joined_at)
    values ($1, $2, $3)
    on conflict on constraint party_member_primary do nothing
    returning party_id
)
update party set member_count = member_count + 1
where id in (select party_id from joined)
;
