package main

import (
	"context"

	"parley/internal/chatapp/chatsim"
	"parley/internal/demo"
)

// phonePages are the pages on which people play the demo's phones, and what
// plays them. Without a fake network there are none.
func phonePages(h *house, network *chatsim.Server, o programOptions) (byPrefix, func(context.Context), error) {
	if network == nil {
		return nil, nil, nil
	}
	phones, err := demo.NewPhones(demo.PhonesOptions{Desk: h.desk, Numbers: h.numbers, Network: network, Clock: o.clock, Log: o.log})
	if err != nil {
		return nil, nil, err
	}
	pages, err := phones.Handler()
	if err != nil {
		return nil, nil, err
	}
	return byPrefix{{"/phone", newDemoHosts(o.listen, o.log).only(pages)}}, phones.Run, nil
}
