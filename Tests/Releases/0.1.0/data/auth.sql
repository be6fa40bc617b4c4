--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: account; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account (
    id bigint NOT NULL,
    email text,
    email_key text,
    password_hash text,
    nickname text NOT NULL,
    role text DEFAULT 'user'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT account_role_known CHECK ((role = ANY (ARRAY['user'::text, 'admin'::text])))
);


--
-- Name: account_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: idempotency_key; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_key (
    scope text NOT NULL,
    endpoint text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    claimed_at timestamp with time zone DEFAULT now() NOT NULL,
    status integer,
    content_type text,
    body bytea
);


--
-- Name: refresh_token; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.refresh_token (
    token_hash bytea NOT NULL,
    session_id bigint NOT NULL,
    generation bigint NOT NULL,
    used_at timestamp with time zone
);


--
-- Name: schema_migration; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.session (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    end_reason text,
    chain_key bytea NOT NULL
);


--
-- Name: session_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.session ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.session_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Data for Name: account; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account (id, email, email_key, password_hash, nickname, role, created_at) FROM stdin;
1	minji-857af40d@example.com	minji-857af40d@example.com	$scrypt$ln=17,r=8,p=1$9DLHt-bH2VTcxEMJVLrbpA$RpZ9iUpRFl9GKsJ0Nh76uXzKEWt2i08a8bV2qve1u0o	민지	user	2026-12-01 05:47:09.393185+00
2	jun-857af40d@example.com	jun-857af40d@example.com	$scrypt$ln=17,r=8,p=1$meALlbWpfaVgUoPcpIe3dg$oXYJFqmKjepYD_Z2hkHbaP1rIJdnJjPwHLfALlwZuLU	Jun	user	2026-12-01 05:47:09.991534+00
\.


--
-- Data for Name: idempotency_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.idempotency_key (scope, endpoint, key, fingerprint, claimed_at, status, content_type, body) FROM stdin;
\.


--
-- Data for Name: refresh_token; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.refresh_token (token_hash, session_id, generation, used_at) FROM stdin;
\\xf57ce217e959adfdf3b6b85b71ab7c9f8cb5c28ee68115c74973413f55e572ce	1	1	\N
\\x509ca9622de608719aced840f84f938127ce8a4e8587c0fb4085fe2412c8140f	2	1	\N
\\x0d6280bc60e8a197d9d871d0bd66f4422484c98da81b368e68ba9ef74eacc1b8	3	1	\N
\.


--
-- Data for Name: schema_migration; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migration (name, checksum, applied_at) FROM stdin;
m0000_create_idempotency_key	ce8b82b8c16c08262ce0e633ff7635101ad137b069642a4e7ef6f62888956d52	2026-12-01 05:47:05.826422+00
m0001_create_accounts	ec668917f1bfc5e8ce8a73d266130793ba968cf7a40c5fa65f1a709f86da3bd2	2026-12-01 05:47:05.843003+00
\.


--
-- Data for Name: session; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.session (id, account_id, created_at, last_used_at, expires_at, ended_at, end_reason, chain_key) FROM stdin;
1	1	2026-12-01 05:47:09.393185+00	2026-12-01 05:47:09.393185+00	2026-12-31 05:47:09.393185+00	\N	\N	\\x5cb4b5b22bc63e12606020c9520de2f395a2ecb12d62d4be561a705bc16185a3
2	2	2026-12-01 05:47:09.991534+00	2026-12-01 05:47:09.991534+00	2026-12-31 05:47:09.991534+00	\N	\N	\\x5beb7218f72c3a906c6db63ed04c2925e5acf0425dd5dfc6603deff3cf84290d
3	2	2026-12-01 05:47:10.651215+00	2026-12-01 05:47:10.651215+00	2026-12-31 05:47:10.651215+00	\N	\N	\\xa2db146110bdf00880c80143b03aee6db10d51025f86cb7a64b1d2dfe08db6f6
\.


--
-- Name: account_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.account_id_seq', 2, true);


--
-- Name: session_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.session_id_seq', 3, true);


--
-- Name: account account_email_key_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_email_key_unique UNIQUE (email_key);


--
-- Name: account account_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_primary PRIMARY KEY (id);


--
-- Name: idempotency_key idempotency_key_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_primary PRIMARY KEY (scope, endpoint, key);


--
-- Name: refresh_token refresh_token_generation_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_generation_unique UNIQUE (session_id, generation);


--
-- Name: refresh_token refresh_token_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_primary PRIMARY KEY (token_hash);


--
-- Name: schema_migration schema_migration_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);


--
-- Name: session session_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_primary PRIMARY KEY (id);


--
-- Name: idempotency_key_claimed_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_key_claimed_at ON public.idempotency_key USING btree (claimed_at);


--
-- Name: session_account_id; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX session_account_id ON public.session USING btree (account_id);


--
-- Name: refresh_token refresh_token_session; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_session FOREIGN KEY (session_id) REFERENCES public.session(id) ON DELETE CASCADE;


--
-- Name: session session_account; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account FOREIGN KEY (account_id) REFERENCES public.account(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


