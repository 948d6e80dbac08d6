package wire_test

import (
	"parley"
	"parley/internal/wire"
)

func erasureShapes() map[string][]byte {
	ended := parley.Erasure{
		ID: id(30), Kind: parley.ErasureOfContact, SubjectID: id(2), AskedBy: "usr_a", CreatedAt: at(1), FinishedAt: at(2),
		Counts:  parley.ErasureCounts{Conversations: 10, Messages: 252, GroupMessages: 12, Files: 7, Events: 610},
		Backups: parley.OlderBackups{Scheduled: true, NewestAt: at(1), EndAt: at(3)},
	}
	running := parley.Erasure{ID: id(31), Kind: parley.ErasureByRule, CreatedAt: at(1)}
	return map[string][]byte{
		"erasure":         wire.AppendErasure(nil, &ended),
		"erasure_running": wire.AppendErasure(nil, &running),
		"erasure_preview": wire.AppendErasurePreview(nil, &parley.ErasurePreview{
			ContactID: id(2), Merged: 1, Conversations: 10, Messages: 240, GroupMessages: 12, Groups: 2, Files: 7, Sessions: 1,
			Backups: parley.OlderBackups{Scheduled: true, NewestAt: at(1), EndAt: at(3)},
		}),
		"retention":      wire.AppendRetention(nil, &parley.Retention{InboxID: id(3), Days: 365, Due: 120}),
		"retention_none": wire.AppendRetention(nil, &parley.Retention{InboxID: id(3)}),
	}
}
