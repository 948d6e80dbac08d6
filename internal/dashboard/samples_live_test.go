package dashboard_test

func liveSamples(w *world) map[string]func() sample {
	return map[string]func() sample{
		"getState":  func() sample { return sample{"/v1/dashboard/state", "", 200} },
		"getCounts": func() sample { return sample{"/v1/dashboard/counts", "", 200} },
		// There is no connection to take over here; see TestStreams.
		"streamEvents": func() sample { return sample{"/v1/dashboard/events", "", 503} },
		"setPresence":  func() sample { return sample{"/v1/dashboard/presence", `{"conversationId":null}`, 200} },
		"getUnread":    func() sample { return sample{"/v1/dashboard/unread", "", 200} },
		"unreadConversation": func() sample {
			return sample{"/v1/dashboard/conversations/" + w.conversation() + "/unread", "", 200}
		},
		"readConversation": func() sample {
			return sample{"/v1/dashboard/conversations/" + w.conversation() + "/read", "", 200}
		},
	}
}
