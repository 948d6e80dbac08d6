package dashboard

// Work has the services for how members share and order their work.
type Work struct{}

// workRoutes joins the tables of these services.
func workRoutes() []Route { return nil }
