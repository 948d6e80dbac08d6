package dashboard

func liveRoutes() []Route { return nil }
