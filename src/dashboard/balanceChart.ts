// Owns the picture of an account over time: one stacked bar for each slot of time, and what it holds now in words.
import { html } from 'hono/html'
import { BUCKETS } from '../domain/books.ts'
import { toTimestamp } from '../kernel/time.ts'
import { instantText, money } from './show.ts'
import type { Bucket } from '../domain/books.ts'
import type { BalancePoint } from './balanceSeries.ts'
import type { Html, View } from './page.ts'
import type { Words } from './words.ts'

const [WIDTH, HEIGHT, GAP] = [600, 150, 2]

/** The chart of at least one point, with what the last one holds. */
export function balanceChart({ words }: View, points: readonly BalancePoint[]): Html {
  const last = points.at(-1)
  const first = points[0]
  if (!first || !last) return html``
  const total = BUCKETS.reduce((sum, bucket) => sum + last[bucket], 0)
  const values = BUCKETS.map((bucket) => [bucket, words[bucket], money(last[bucket])] as const)
  const [from, to] = [first, last].map(({ at }) => instantText(toTimestamp(at)))
  const said = `${words.balance}: ${values.map(([, name, value]) => `${name} ${value}`).join(', ')}`
  return html`<dl class="figures">
      <div>
        <dt>${words.total}</dt>
        <dd>${money(total)}</dd>
      </div>
      ${values.map(
        ([bucket, name, value]) =>
          html`<div class="${bucket}">
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <svg
      class="bars"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${said}"
    >
      ${bars(words, points)}
    </svg>
    <p class="axis"><span>${from}</span><span>${to} UTC</span></p>`
}

function bars(words: Words, points: readonly BalancePoint[]): Html {
  const above = Math.max(1, ...points.map((point) => sumOf(point, (amount) => Math.max(0, amount))))
  const below = Math.max(0, ...points.map((point) => -sumOf(point, (amount) => Math.min(0, amount))))
  const scale = HEIGHT / (above + below)
  const zero = above * scale
  const step = WIDTH / Math.max(points.length, 12)
  return html`${points.map((point, index) => {
      let [up, down] = [zero, zero]
      const rects = BUCKETS.map((bucket) => {
        const height = Math.abs(point[bucket]) * scale
        const y = point[bucket] >= 0 ? (up -= height) : (down += height) - height
        return html`<rect
          class="${bucket}"
          x="${round(index * step)}"
          y="${round(y)}"
          width="${round(step - GAP)}"
          height="${round(height)}"
        />`
      })
      return html`<g><title>${titleOf(words, point)}</title>${rects}</g>`
    })} <path class="zero" d="M0 ${round(zero)}H${WIDTH}" />`
}

const round = (value: number): number => Math.round(value * 100) / 100

function sumOf(point: BalancePoint, part: (amount: number) => number): number {
  return BUCKETS.reduce((sum: number, bucket: Bucket) => sum + part(point[bucket]), 0)
}

function titleOf(words: Words, point: BalancePoint): string {
  const parts = BUCKETS.map((bucket) => `${words[bucket]} ${money(point[bucket])}`)
  return `${instantText(toTimestamp(point.at))} UTC: ${parts.join(', ')}`
}
