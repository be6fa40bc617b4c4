-- Meetings, who belongs to them, and who is invited.
--
-- Users are known by id only; their accounts are the auth service's. Ids stay below 2^53, so that
-- JavaScript reads them exactly. Whatever changes a meeting's members or invitations locks the
-- meeting's row first, so that changes of one meeting come one after the other and always lock in
-- the same order.
create table meeting (
    id bigint generated always as identity (maxvalue 9007199254740991),
    title text not null,
    note text,
    created_at timestamptz not null,
    -- Rows of meeting_member.
    member_count integer not null,
    constraint meeting_primary primary key (id),
    constraint meeting_has_members check (member_count >= 1)
);

create table meeting_member (
    meeting_id bigint not null,
    user_id bigint not null,
    role text not null,
    joined_at timestamptz not null,
    constraint meeting_member_primary primary key (meeting_id, user_id),
    constraint meeting_member_meeting
        foreign key (meeting_id) references meeting (id) on delete cascade,
    constraint meeting_member_user_id_range check (user_id between 1 and 9007199254740991),
    constraint meeting_member_role check (role in ('owner', 'member'))
);

create unique index meeting_member_one_owner on meeting_member (meeting_id)
where role = 'owner';

-- A user's meetings, newest first.
create index meeting_member_user on meeting_member (user_id, meeting_id);

create table meeting_invitation (
    id bigint generated always as identity (maxvalue 9007199254740991),
    meeting_id bigint not null,
    inviter_id bigint not null,
    invitee_id bigint not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    -- How it ended; null while nobody has answered, also when its time is over. 'expired' is only
    -- written when the invitee is invited again, to make room for the new invitation.
    outcome text,
    closed_at timestamptz,
    constraint meeting_invitation_primary primary key (id),
    constraint meeting_invitation_meeting
        foreign key (meeting_id) references meeting (id) on delete cascade,
    constraint meeting_invitation_invitee_id_range
        check (invitee_id between 1 and 9007199254740991),
    constraint meeting_invitation_not_oneself check (inviter_id <> invitee_id),
    constraint meeting_invitation_outcome
        check (outcome in ('accepted', 'declined', 'cancelled', 'expired')),
    constraint meeting_invitation_closed check ((outcome is null) = (closed_at is null))
);

-- One open invitation for a person to a meeting.
create unique index meeting_invitation_open on meeting_invitation (meeting_id, invitee_id)
where outcome is null;

-- A user's open invitations, newest first.
create index meeting_invitation_invitee on meeting_invitation (invitee_id, id)
where outcome is null;
