package dashboard

func keyRoutes() []Route { return nil }
