package dashboard

import (
	"parley/api"
	"parley/internal/httpjson"
)

func documentRoutes() []Route {
	return []Route{
		{"getDashboardOpenapiJson", methodGet, base + "openapi.json", "", true, (*Dashboard).openapiJSON},
		{"getDashboardOpenapiYaml", methodGet, base + "openapi.yaml", "", true, (*Dashboard).openapiYAML},
	}
}

func (d *Dashboard) openapiJSON(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := api.Dashboard().JSON()
	return httpjson.Document(c.Request(), text, err)
}

func (d *Dashboard) openapiYAML(c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	text, err := api.Dashboard().YAML()
	return httpjson.DocumentYAML(c.Request(), text, err)
}
