package widget

import (
	"parley/api"
	"parley/internal/httpjson"
)

func (a *API) openapiJSON(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	return httpjson.Document(api.Widget().JSON())
}

func (a *API) openapiYAML(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	return httpjson.DocumentYAML(api.Widget().YAML())
}
