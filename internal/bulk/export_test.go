package bulk

// SetPortion changes how many conversations change in one transaction.
func (svc *Service) SetPortion(n int) { svc.portion = n }
