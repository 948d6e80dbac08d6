/** Two short tones, synthesized, so that no file is loaded. */
export function playSound() {
  const audio = new AudioContext();
  const tone = (frequency: number, at: number) => {
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.12, at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.25);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(at);
    oscillator.stop(at + 0.26);
  };
  const now = audio.currentTime;
  tone(659, now);
  tone(880, now + 0.12);
  setTimeout(() => void audio.close(), 1000);
}
