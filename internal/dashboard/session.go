package dashboard

func sessionRoutes() []Route { return nil }
