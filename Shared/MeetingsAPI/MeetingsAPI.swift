// MeetingsAPI
