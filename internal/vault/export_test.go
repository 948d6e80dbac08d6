package vault

// MakeKeyFile is what FromFile does when it finds no file.
var MakeKeyFile = makeKeyFile
