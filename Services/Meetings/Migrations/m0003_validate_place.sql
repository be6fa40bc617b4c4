-- Looks at the rows that were there before the constraint.
alter table meeting validate constraint meeting_place_whole;
