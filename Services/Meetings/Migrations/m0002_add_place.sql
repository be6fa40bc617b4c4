-- Where a meeting is: all of a place or nothing, and its address where it could be looked up. Rows that exist have none and
-- satisfy the constraint; the next migration looks at them without keeping writers out.
alter table meeting
    add column place_name text,
    add column place_latitude double precision,
    add column place_longitude double precision,
    add column place_address text,
    add constraint meeting_place_whole check (
        (place_name is null) = (place_latitude is null)
        and (place_name is null) = (place_longitude is null)
        and (place_name is not null or place_address is null)
    ) not valid;
