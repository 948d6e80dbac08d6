package dashboard_test

import "parley/internal/apitest"

func liveSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"getState":  func() apitest.Sample { return apitest.NewSample("/v1/dashboard/state", "", 200) },
		"getCounts": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/counts", "", 200) },
		// There is no connection to take over here; see TestStreams.
		"streamEvents": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/events", "", 503) },
		"setPresence": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/presence", `{"conversationId":null}`, 200)
		},
		"getUnread": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/unread", "", 200) },
		"unreadConversation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation()+"/unread", "", 200)
		},
		"readConversation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation()+"/read", "", 200)
		},
	}
}
