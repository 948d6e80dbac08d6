package dashboard

func memberRoutes() []Route { return nil }
