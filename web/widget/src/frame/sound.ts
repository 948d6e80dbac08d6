/** Two short notes. Browsers stay silent on pages that nobody has touched. */
export function ping() {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.connect(audio.destination);
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.45);
  for (const [at, pitch] of [
    [0, 880],
    [0.09, 1175],
  ] as const) {
    const note = audio.createOscillator();
    note.frequency.value = pitch;
    note.connect(volume);
    note.start(audio.currentTime + at);
    note.stop(audio.currentTime + 0.5);
  }
  setTimeout(() => void audio.close(), 700);
}
