/** 95 as `1 h 35 min`. */
export function hours(minutes) {
  const whole = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [whole > 0 ? `${whole} h` : '', rest > 0 || whole === 0 ? `${rest} min` : ''].filter(Boolean).join(' ');
}
