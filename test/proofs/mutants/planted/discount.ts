// Owns a planted function: what is paid for a price in whole cents, with ten percent off from 100 pieces on.
export function paid(price: number, pieces: number): number {
  const sum = price * pieces
  return pieces >= 100 ? sum - Math.round(sum / 10) : sum
}
