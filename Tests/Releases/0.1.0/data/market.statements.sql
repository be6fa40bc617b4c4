-- What market sent in the demo scenario, each once; but for 2, whose parameters
-- have types that the text does not tell.
select coin.id, coin.symbol, coin.name, standing.rank, standing.price,
    standing.change_percent, standing.quote_volume, standing.as_of, standing.source
from standing join coin on coin.id = standing.coin_id
where standing.rank > $1
order by standing.rank, standing.coin_id limit $2
;
select id from coin where id = $1
;
select id, symbol, price_scale, demo_price::float8 from coin order by id limit 1000
;
select max(opened_at) from candle where coin_id = $1
;
select opened_at, open, high, low, close, volume from candle
where coin_id = $1 and opened_at < $2
    and opened_at >= coalesce(
        (select max(opened_at) from candle
         where coin_id = $3 and opened_at <= $4), $5)
order by opened_at limit $6
;
