package main

import (
	"parley/internal/httpjson"
	"parley/internal/widget"
	"parley/web"
)

// widgetPages returns what serves the files of the widget.
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
	return byPrefix{{"/widget.js", files}, {"/widget", files}}, nil
}
