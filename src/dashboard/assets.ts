// Owns the files that pages load: the stylesheet, the script, the icon, and the library that the script uses. Never from elsewhere.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { readText } from '../world/disk.ts'
import { digestBytes } from '../world/keys.ts'

interface Asset {
  text: string
  type: string
  /** Changes with the text. */
  etag: string
}

const here = (name: string): string => fileURLToPath(new URL(`./assets/${name}`, import.meta.url))

const FILES: Readonly<Record<string, { path: string; type: string }>> = {
  'ui.css': { path: here('ui.css'), type: 'text/css; charset=utf-8' },
  'ui.js': { path: here('ui.js'), type: 'text/javascript; charset=utf-8' },
  'fields.js': { path: here('fields.js'), type: 'text/javascript; charset=utf-8' },
  'live.js': { path: here('live.js'), type: 'text/javascript; charset=utf-8' },
  'tools.css': { path: here('tools.css'), type: 'text/css; charset=utf-8' },
  'order.js': { path: here('order.js'), type: 'text/javascript; charset=utf-8' },
  'scenario.js': { path: here('scenario.js'), type: 'text/javascript; charset=utf-8' },
  'pay.css': { path: here('pay.css'), type: 'text/css; charset=utf-8' },
  'count.js': { path: here('count.js'), type: 'text/javascript; charset=utf-8' },
  'docs.css': { path: here('docs.css'), type: 'text/css; charset=utf-8' },
  'docs.js': { path: here('docs.js'), type: 'text/javascript; charset=utf-8' },
  'icon.svg': { path: here('icon.svg'), type: 'image/svg+xml' },
  'idiomorph.js': {
    path: createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.min.js'),
    type: 'text/javascript; charset=utf-8',
  },
}

/** Reads assets by their names, each once; null for a name that there is not. */
export function createAssets(): (name: string) => Promise<Asset | null> {
  const kept = new Map<string, Promise<Asset>>()
  return async (name) => {
    const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
    if (!file) return null
    const asset = kept.get(name) ?? load(file)
    kept.set(name, asset)
    return asset
  }
}

async function load({ path, type }: { path: string; type: string }): Promise<Asset> {
  const text = await readText(path)
  return { text, type, etag: `"${digestBytes(text).slice(0, 32)}"` }
}
