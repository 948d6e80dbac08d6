package answers

// Settle waits until no index is built.
func Settle(svc *Service) {
	x := &svc.indexes
	x.mu.Lock()
	var all []*building
	for _, e := range x.all {
		if e.building != nil {
			all = append(all, e.building)
		}
	}
	x.mu.Unlock()
	for _, b := range all {
		<-b.done
	}
}
