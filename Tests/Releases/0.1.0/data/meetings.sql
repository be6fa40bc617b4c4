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
-- Name: meeting; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.meeting (
    id bigint NOT NULL,
    title text NOT NULL,
    note text,
    created_at timestamp with time zone NOT NULL,
    member_count integer NOT NULL,
    CONSTRAINT meeting_has_members CHECK ((member_count >= 1))
);


--
-- Name: meeting_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.meeting ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.meeting_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 9007199254740991
    CACHE 1
);


--
-- Name: meeting_invitation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.meeting_invitation (
    id bigint NOT NULL,
    meeting_id bigint NOT NULL,
    inviter_id bigint NOT NULL,
    invitee_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    outcome text,
    closed_at timestamp with time zone,
    CONSTRAINT meeting_invitation_closed CHECK (((outcome IS NULL) = (closed_at IS NULL))),
    CONSTRAINT meeting_invitation_invitee_id_range CHECK (((invitee_id >= 1) AND (invitee_id <= '9007199254740991'::bigint))),
    CONSTRAINT meeting_invitation_not_oneself CHECK ((inviter_id <> invitee_id)),
    CONSTRAINT meeting_invitation_outcome CHECK ((outcome = ANY (ARRAY['accepted'::text, 'declined'::text, 'cancelled'::text, 'expired'::text])))
);


--
-- Name: meeting_invitation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.meeting_invitation ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.meeting_invitation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    MAXVALUE 9007199254740991
    CACHE 1
);


--
-- Name: meeting_member; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.meeting_member (
    meeting_id bigint NOT NULL,
    user_id bigint NOT NULL,
    role text NOT NULL,
    joined_at timestamp with time zone NOT NULL,
    CONSTRAINT meeting_member_role CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text]))),
    CONSTRAINT meeting_member_user_id_range CHECK (((user_id >= 1) AND (user_id <= '9007199254740991'::bigint)))
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
-- Data for Name: meeting; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.meeting (id, title, note, created_at, member_count) FROM stdin;
1	한강 소풍	\N	2026-12-01 05:47:11.472905+00	2
\.


--
-- Data for Name: meeting_invitation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.meeting_invitation (id, meeting_id, inviter_id, invitee_id, created_at, expires_at, outcome, closed_at) FROM stdin;
1	1	1	2	2026-12-01 05:47:11.506335+00	2026-12-08 05:47:11.506335+00	accepted	2026-12-01 05:47:11.522934+00
\.


--
-- Data for Name: meeting_member; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.meeting_member (meeting_id, user_id, role, joined_at) FROM stdin;
1	1	owner	2026-12-01 05:47:11.472905+00
1	2	member	2026-12-01 05:47:11.522934+00
\.


--
-- Data for Name: schema_migration; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.schema_migration (name, checksum, applied_at) FROM stdin;
m0000_create_idempotency_key	ce8b82b8c16c08262ce0e633ff7635101ad137b069642a4e7ef6f62888956d52	2026-12-01 05:47:06.708391+00
m0001_create_meeting	c73a6a1c6a1d6790187ef934be63396f191ca148d89fd4ba5b65879654bec907	2026-12-01 05:47:06.721364+00
\.


--
-- Name: meeting_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.meeting_id_seq', 1, true);


--
-- Name: meeting_invitation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.meeting_invitation_id_seq', 1, true);


--
-- Name: idempotency_key idempotency_key_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_primary PRIMARY KEY (scope, endpoint, key);


--
-- Name: meeting_invitation meeting_invitation_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meeting_invitation
    ADD CONSTRAINT meeting_invitation_primary PRIMARY KEY (id);


--
-- Name: meeting_member meeting_member_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meeting_member
    ADD CONSTRAINT meeting_member_primary PRIMARY KEY (meeting_id, user_id);


--
-- Name: meeting meeting_primary; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meeting
    ADD CONSTRAINT meeting_primary PRIMARY KEY (id);


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
-- Name: meeting_invitation_invitee; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX meeting_invitation_invitee ON public.meeting_invitation USING btree (invitee_id, id) WHERE (outcome IS NULL);


--
-- Name: meeting_invitation_open; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX meeting_invitation_open ON public.meeting_invitation USING btree (meeting_id, invitee_id) WHERE (outcome IS NULL);


--
-- Name: meeting_member_one_owner; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX meeting_member_one_owner ON public.meeting_member USING btree (meeting_id) WHERE (role = 'owner'::text);


--
-- Name: meeting_member_user; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX meeting_member_user ON public.meeting_member USING btree (user_id, meeting_id);


--
-- Name: meeting_invitation meeting_invitation_meeting; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meeting_invitation
    ADD CONSTRAINT meeting_invitation_meeting FOREIGN KEY (meeting_id) REFERENCES public.meeting(id) ON DELETE CASCADE;


--
-- Name: meeting_member meeting_member_meeting; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.meeting_member
    ADD CONSTRAINT meeting_member_meeting FOREIGN KEY (meeting_id) REFERENCES public.meeting(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


