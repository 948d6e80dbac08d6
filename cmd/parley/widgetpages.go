package main

import (
	"parley/internal/httpjson"
	"parley/internal/widget"
	"parley/web"
)

// widgetPages returns the handler for the widget's files.
func widgetPages(a *app, chat *widget.API, o programOptions) (byPrefix, error) {
	built, err := web.Widget()
	if err != nil {
		return nil, err
	}
	files, err := widget.Pages(widget.PagesOptions{Built: built, Customers: a.customers, Log: o.log})
	if err != nil {
		return nil, err
	}
	files = chat.Limited(httpjson.CleanPaths(files))
	return byPrefix{{"/widget.js", files}, {"/widget", files}}, nil
}
