// Meetings
