package main

import (
	"parley/internal/demo"
	"parley/internal/httpjson"
	"parley/internal/widget"
	"parley/web"
)

// widgetPages returns what serves the files of the widget, and the demo shop
// that shows it where there is one.
func widgetPages(h *house, chat *widget.API, o programOptions) (byPrefix, error) {
	built, err := web.Widget()
	if err != nil {
		return nil, err
	}
	files, err := widget.Pages(widget.PagesOptions{Built: built, Customers: h.customers, Log: o.log})
	if err != nil {
		return nil, err
	}
	files = chat.Limited(httpjson.CleanPaths(files))
	all := byPrefix{{"/widget.js", files}, {"/widget", files}}
	if !o.demo {
		return all, nil
	}
	shop, err := demo.Shop(demo.ShopOptions{Desk: h.desk, Sign: h.customers.SignIdentity, Clock: o.clock, Log: o.log})
	if err != nil {
		return nil, err
	}
	return append(all, byPrefix{{"/shop", newDemoHosts(o.listen, o.log).only(httpjson.CleanPaths(shop))}}...), nil
}
