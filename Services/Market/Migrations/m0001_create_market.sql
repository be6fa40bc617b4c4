-- Coins, their minutes, and their present standing.

create table coin (
    id bigint generated always as identity,
    -- Not unique: unrelated coins share symbols.
    symbol text not null,
    name text not null,
    -- Digits behind the point of a price.
    price_scale smallint not null,
    -- Where the simulated exchange begins.
    demo_price numeric not null,
    constraint coin_primary primary key (id)
);

create table candle (
    coin_id bigint not null,
    opened_at timestamptz not null,
    open numeric not null,
    high numeric not null,
    low numeric not null,
    close numeric not null,
    volume numeric not null,
    quote_volume numeric not null,
    source text not null,
    constraint candle_primary primary key (coin_id, opened_at),
    constraint candle_coin foreign key (coin_id) references coin (id),
    constraint candle_within_bounds check (low <= open and low <= close and open <= high and close <= high),
    constraint candle_volume_not_negative check (volume >= 0)
);

create table standing (
    coin_id bigint not null,
    -- Place by quote_volume, from 1.
    rank integer not null,
    price numeric not null,
    change_percent numeric not null,
    quote_volume numeric not null,
    as_of timestamptz not null,
    source text not null,
    constraint standing_primary primary key (coin_id),
    constraint standing_coin foreign key (coin_id) references coin (id)
);
create index standing_rank on standing (rank, coin_id);
