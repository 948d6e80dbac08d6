package dashboard

func settingRoutes() []Route { return nil }
