-- What meetings sent in the demo scenario, each once; but for 0, whose parameters
-- have types that the text does not tell.
insert into meeting_invitation (
    meeting_id, inviter_id, invitee_id, created_at, expires_at
) values ($1, $2, $3, $4, $5)
returning id
;
select exists (
    select from meeting_member where meeting_id = $1 and user_id = $2
)
;
select id, title, member_count from meeting
where id = $1 and exists (
    select from meeting_member where meeting_id = $2 and user_id = $3
)
for update
;
select id, title, note, created_at,
    array(
        select user_id from meeting_member
        where meeting_id = meeting.id order by joined_at, user_id
    ),
    array(
        select role from meeting_member
        where meeting_id = meeting.id order by joined_at, user_id
    ),
    array(
        select (extract(epoch from joined_at) * 1000000)::bigint from meeting_member
        where meeting_id = meeting.id order by joined_at, user_id
    )
from meeting
where id = $1 and exists (
    select from meeting_member where meeting_id = $2 and user_id = $3
)
;
select invitation.id, invitation.meeting_id, meeting.title, invitation.inviter_id,
    invitation.invitee_id, invitation.created_at, invitation.expires_at,
    invitation.outcome
from meeting_invitation as invitation
join meeting on meeting.id = invitation.meeting_id
where invitation.id = $1
    and (invitation.invitee_id = $2 or invitation.inviter_id = $3)
;
select invitation.id, invitation.meeting_id, meeting.title, invitation.inviter_id,
    invitation.invitee_id, invitation.created_at, invitation.expires_at,
    invitation.outcome
from meeting_invitation as invitation
join meeting on meeting.id = invitation.meeting_id
where invitation.meeting_id = $1 and invitation.outcome is null
    and invitation.expires_at > $2
order by invitation.id limit $3
;
select meeting.id from meeting
where meeting.id = (
    select meeting_id from meeting_invitation
    where id = $1 and (invitee_id = $2 or inviter_id = $3)
)
for update
;
update meeting_invitation set outcome = 'expired', closed_at = $1
where meeting_id = $2 and invitee_id = $3 and outcome is null
    and expires_at <= $4
;
with created as (
    insert into meeting (title, note, created_at, member_count)
    values ($1, $2, $3, 1)
    returning id
), joined as (
    insert into meeting_member (meeting_id, user_id, role, joined_at)
    select id, $4, 'owner', $5 from created
)
select id from created
;
with joined as (
    insert into meeting_member (meeting_id, user_id, role, joined_at)
    values ($1, $2, 'member', $3)
    on conflict on constraint meeting_member_primary do nothing
    returning meeting_id
), counted as (
    update meeting set member_count = member_count + 1
    where id in (select meeting_id from joined)
)
update meeting_invitation set outcome = 'accepted', closed_at = $4
where id = $5 and outcome is null
;
