-- What auth sent in the demo scenario, each once; but for 0, whose parameters
-- have types that the text does not tell.
insert into account (email, email_key, password_hash, nickname, created_at)
values ($1, $2, $3, $4, $5)
returning id
;
insert into refresh_token (token_hash, session_id, generation)
values ($1, $2, $3)
;
insert into session (account_id, created_at, last_used_at, expires_at, chain_key)
values ($1, $2, $3, $4, $5)
returning id
;
select id, email, nickname, role, password_hash from account
where email_key = $1
;
