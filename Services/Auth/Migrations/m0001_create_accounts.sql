-- Accounts, their sessions, and every refresh token ever given out for a session that still lives.

create table account (
    id bigint generated always as identity,
    email text,
    -- The address as it is compared: composed, lower case.
    email_key text,
    password_hash text,
    nickname text not null,
    role text not null default 'user',
    created_at timestamptz not null,
    constraint account_primary primary key (id),
    constraint account_email_key_unique unique (email_key),
    constraint account_role_known check (role in ('user', 'admin'))
);

create table session (
    id bigint generated always as identity,
    account_id bigint not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    end_reason text,
    -- Makes each refresh token out of the one before; see Tokens.swift.
    chain_key bytea not null,
    constraint session_primary primary key (id),
    constraint session_account foreign key (account_id) references account (id) on delete cascade
);
create index session_account_id on session (account_id);

create table refresh_token (
    -- SHA-256 of the token; the token itself is nowhere.
    token_hash bytea not null,
    session_id bigint not null,
    -- Position in the session's chain, from 1.
    generation bigint not null,
    used_at timestamptz,
    constraint refresh_token_primary primary key (token_hash),
    constraint refresh_token_generation_unique unique (session_id, generation),
    constraint refresh_token_session foreign key (session_id) references session (id) on delete cascade
);
