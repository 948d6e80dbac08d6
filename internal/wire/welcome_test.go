package wire_test

import (
	"parley"
	"parley/internal/wire"
)

// welcomeShapes are those of the guided start.
func welcomeShapes() map[string][]byte {
	views := []parley.WidgetView{{InboxID: id(3), Origin: "https://acme.example", FirstAt: at(4)}, {InboxID: id(3), FirstAt: at(2)}}
	return map[string][]byte{
		"welcome":          wire.AppendWelcome(nil, &parley.Welcome{Views: views}),
		"welcome_finished": wire.AppendWelcome(nil, &parley.Welcome{FinishedAt: at(5)}),
	}
}
