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
-- Name: party; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.party (
    id bigint NOT NULL,
    owner_id bigint NOT NULL,
    title text NOT NULL,
    note text,
    origin_name text NOT NULL,
    origin_latitude double precision NOT NULL,
    origin_longitude double precision NOT NULL,
    shown_latitude double precision GENERATED ALWAYS AS ((round((origin_latitude)::numeric, 3))::double precision) STORED NOT NULL,
    shown_longitude double precision GENERATED ALWAYS AS (
CASE
    WHEN (round((origin_longitude)::numeric, 3) = (180)::numeric) THEN ('-180'::integer)::double precision
    ELSE (round((origin_longitude)::numeric, 3))::double precision
END) STORED NOT NULL,
    destination_name text NOT NULL,
    destination_latitude double precision NOT NULL,
    destination_longitude double precision NOT NULL,
    departs_at timestamp with time zone NOT NULL,
    seats smallint NOT NULL,
    member_count smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    cancelled_at timestamp with time zone,
    CONSTRAINT party_destination_range CHECK ((((destination_latitude >= ('-90'::integer)::double precision) AND (destination_latitude <= (90)::double precision)) AND ((destination_longitude >= ('-180'::integer)::double precision) AND (destination_longitude <= (180)::double precision)))),
    CONSTRAINT party_members_have_seats CHECK (((member_count >= 1) AND (member_count <= seats))),
    CONSTRAINT party_origin_range CHECK ((((origin_latitude >= ('-90'::integer)::double precision) AND (origin_latitude <= (90)::double precision)) AND ((origin_longitude >= ('-180'::integer)::double precision) AND (origin_longitude <= (180)::double precision)))),
    CONSTRAINT party_owner_id_range CHECK (((owner_id >= 1) AND (owner_id <= '9007199254740991'::bigint))),
    CONSTRAINT party_seats_range CHECK (((seats >= 2) AND (seats <= 20)))
);


--
-- Name: party_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.party ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.party_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 9007199254740991
    CACHE 1
);


--
-- Name: party_member; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.party_member (
    party_id bigint NOT NULL,
    user_id bigint NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    CONSTRAINT party_member_user_id_range CHECK (((user_id >= 1) AND (user_id <= '9007199254740991'::bigint)))
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
-- Data for Name: idempotency_key; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.idempotency_key (scope, endpoint, key, fingerprint, claimed_at, status, content_type, body) FROM stdin;
\.


--
-- Data for Name: party; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.party (id, owner_id, title, note, origin_name, origin_latitude, origin_longitude, destination_name, destination_latitude, destination_longitude, departs_at, seats, member_count, created_at, cancelled_at) FROM stdin;
1	1	인천공항 같이 가요	\N	강남역	37.49795	127.02764	인천국제공항	37.46019	126.4407	2026-12-01 07:47:11.392383+00	2	2	2026-12-01 05:47:11.400948+00	\N
\.


--
-- Data for Name: party_member; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.party_member (party_id, user_id, joined_at) FROM stdin;
1	1	2026-12-01 05:47:11.400948+00
1	2	2026-12-01 05:47:11.45774+00
\.


--
-- Data for Name: schema_migration; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migration (name, checksum, applied_at) FROM stdin;
m0000_create_idempotency_key	ce8b82b8c16c08262ce0e633ff7635101ad137b069642a4e7ef6f62888956d52	2026-12-01 05:47:06.259507+00
m0001_create_party	f362a944eca4eb7bcc691cddad0bee08b741e303ce72a366d9daa8aa04a7ee81	2026-12-01 05:47:06.271081+00
\.


--
-- Name: party_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.party_id_seq', 1, true);


--
-- Name: idempotency_key idempotency_key_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_primary PRIMARY KEY (scope, endpoint, key);


--
-- Name: party_member party_member_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.party_member
    ADD CONSTRAINT party_member_primary PRIMARY KEY (party_id, user_id);


--
-- Name: party party_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.party
    ADD CONSTRAINT party_primary PRIMARY KEY (id);


--
-- Name: schema_migration schema_migration_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);


--
-- Name: idempotency_key_claimed_at; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_key_claimed_at ON public.idempotency_key USING btree (claimed_at);


--
-- Name: party_shown_position; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX party_shown_position ON public.party USING btree (shown_latitude, shown_longitude) WHERE (cancelled_at IS NULL);


--
-- Name: party_member party_member_party; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.party_member
    ADD CONSTRAINT party_member_party FOREIGN KEY (party_id) REFERENCES public.party(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


