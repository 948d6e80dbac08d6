package helpcenter

// Renders returns how many pages a site has rendered.
func Renders(s *Site) int64 { return s.made.Load() }
