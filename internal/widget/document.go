package widget

import (
	"parley/api"
	"parley/internal/httpjson"
)

func (a *API) openapiJSON(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := api.Widget().JSON()
	return httpjson.Document(c.Request(), text, err)
}

func (a *API) openapiYAML(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := api.Widget().YAML()
	return httpjson.DocumentYAML(c.Request(), text, err)
}
