package dashboard

func contactRoutes() []Route { return nil }
