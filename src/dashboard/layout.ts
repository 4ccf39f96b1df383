// Owns what surrounds every page: the header with the clock and the world picker, the navigation, and the document itself.
import { html } from 'hono/html'
import { stamp } from '../domain/world.ts'
import { withQuery } from './links.ts'
import { LANGUAGES } from './words.ts'
import { THEMES } from './page.ts'
import { instantText } from './show.ts'
import type { Html, PageRow, Shown, Theme, View } from './page.ts'
import type { Language, Word, Words } from './words.ts'

/** Address of the dashboard of the default world; its files stand below it. */
export const UI_BASE = '/_sandbox/ui'
/** Worlds that pickers list; others are typed into their address. */
const MAX_LISTED_WORLDS = 100

const HTML_LANGUAGES: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' }
const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', pt: 'Português' }
const THEME_WORDS: Readonly<Record<Theme, Word>> = {
  auto: 'themeAuto',
  light: 'themeLight',
  dark: 'themeDark',
}
const THEME_SIGNS: Readonly<Record<Theme, string>> = { auto: '◐', light: '☀', dark: '☾' }

/** What a person chose of how pages look and speak. */
export interface Settings {
  words: Words
  language: Language
  theme: Theme
}

/** Where a page stands, and how it looks and speaks. */
export type Place = Settings & Pick<View, 'base' | 'path' | 'query'>

/** A whole page. */
export function pageOf(view: View, pages: readonly PageRow[], { title, main }: Shown): Html {
  const { words, control } = view
  const body = html`<body
    data-events="${control}/events"
    data-done="${words.done}"
    data-unreachable="${words.unreachable}"
    data-copied="${words.copied}"
    data-not-copied="${words.notCopied}"
  >
    <a class="skip" href="#main">${words.skip}</a>
    <header class="top">
      <a class="brand" href="${view.base}"
        ><img src="${UI_BASE}/assets/icon.svg" alt="" width="28" height="28" /><span
          >${words.product}</span
        ></a
      >
      ${clockOf(view)} ${worldPicker(view)}
      <p
        id="connection"
        role="status"
        data-connected="${words.connected}"
        data-disconnected="${words.disconnected}"
      >
        ${words.connecting}
      </p>
      ${switches(view)}
    </header>
    <nav class="pages" aria-label="${words.navigation}">
      <ul>
        ${pages.map((row) => navigation(view, row))}
        <li><a href="${withQuery('/docs', { world: view.world.id })}">${words.docsGateway}</a></li>
      </ul>
    </nav>
    <noscript><p class="hint no-script">${words.noScript}</p></noscript>
    <main id="main" tabindex="-1" data-live>${main}</main>
    <div id="told" role="status" aria-live="polite"></div>
  </body>`
  const scripts = html`<script src="${UI_BASE}/assets/idiomorph.js" defer></script>
    <script src="${UI_BASE}/assets/ui.js" type="module"></script>
    <script src="${UI_BASE}/assets/count.js" type="module"></script>`
  return documentOf(view, `${title} · ${view.world.id} · ${words.product}`, scripts, body)
}

/** A page that asks for the control token. It shows nothing of any world. */
export function signInPage(settings: Settings, back: string, isWrong: boolean): Html {
  const { words } = settings
  const body = html`<body class="alone">
    <main id="main" class="card">
      <h1><img src="${UI_BASE}/assets/icon.svg" alt="" width="28" height="28" /> ${words.signIn}</h1>
      <p>${words.signInWhy}</p>
      ${isWrong && html`<p class="wrong" role="alert">${words.wrongToken}</p>`}
      <form method="post" action="${UI_BASE}/sign-in" class="action">
        <input type="hidden" name="back" value="${back}" />
        <label class="field"
          ><span>${words.controlToken}</span>
          <input id="token" name="token" type="password" autocomplete="current-password" required autofocus />
        </label>
        <button class="button main">${words.signIn}</button>
      </form>
    </main>
  </body>`
  return documentOf(settings, `${words.signIn} · ${words.product}`, '', body)
}

/** A refusal, as a person is told it. */
interface Refused {
  code: string
  why: string
  /** The language of `why`. */
  language: Language
  /** Address of the page that it was asked from; null where there is none. */
  back: string | null
}

/** A page that says why something was refused. It shows nothing of any world. */
export function refusedPage(settings: Settings, { code, why, language, back }: Refused): Html {
  const { words } = settings
  const body = html`<body class="alone">
    <main id="main" class="card">
      <h1><img src="${UI_BASE}/assets/icon.svg" alt="" width="28" height="28" /> ${words.refused}</h1>
      <p class="break" lang="${HTML_LANGUAGES[language]}">${why}</p>
      <p><code>${code}</code></p>
      ${back !== null && html`<p><a class="button main" href="${back}">${words.back}</a></p>`}
    </main>
  </body>`
  return documentOf(settings, `${words.refused} · ${words.product}`, '', body)
}

/** A document: its head, with the stylesheet and some scripts, around a body. */
export function documentOf({ language, theme }: Settings, title: string, scripts: unknown, body: Html): Html {
  return html`<!doctype html>
    <html lang="${HTML_LANGUAGES[language]}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="${UI_BASE}/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${UI_BASE}/assets/ui.css" />
        <link rel="stylesheet" href="${UI_BASE}/assets/tools.css" />
        ${scripts}
      </head>
      ${body}
    </html>`
}

/** The clock of the world, which the script moves while it flows. */
export function clockOf({ world, words }: Pick<View, 'world' | 'words'>): Html {
  const { clock } = world
  const [date = '', exact = ''] = instantText(stamp(world)).split(' ')
  // The script moves it on by seconds; one that stands still shows all of its instant.
  const time = clock.mode === 'flowing' ? exact.slice(0, 'HH:MM:SS'.length) : exact
  const mode = clock.mode === 'frozen' ? words.frozen : words.flowing
  return html`<div
    id="clock"
    class="clock"
    data-live
    data-mode="${clock.mode}"
    data-rate="${clock.rate}"
    data-now="${clock.now()}"
  >
    <span class="unseen">${words.worldTime}</span>
    <span class="date">${date}</span> <span class="time">${time}</span> <span class="zone">UTC</span>
    <span class="chip ${clock.mode === 'frozen' ? 'busy' : 'good'}">${mode}</span>
  </div>`
}

/** The ids that a picker lists: the one that is shown, then the newest others. */
export function listedWorlds({ world, worlds }: Pick<View, 'world' | 'worlds'>): string[] {
  const others = worlds.list().filter((each) => each !== world)
  return [world, ...others.slice(1 - MAX_LISTED_WORLDS)].map(({ id }) => id)
}

function worldPicker(view: View): Html {
  const { world, words } = view
  return html`<form class="worlds" method="get" action="${UI_BASE}/world">
    <label for="world">${words.world}</label>
    <select id="world" name="id">
      ${listedWorlds(view).map((id) => html`<option ${id === world.id ? html`selected` : ''}>${id}</option>`)}
    </select>
    <button class="button small">${words.openWorld}</button>
  </form>`
}

/** Links that choose the language and the theme; a cookie keeps what was chosen. */
export function switches({ words, language, theme, base, path, query }: Place): Html {
  const to = (name: string, value: string): string => withQuery(base + path, { ...query, [name]: value })
  return html`<div class="switches">
    <ul aria-label="${words.language}">
      ${LANGUAGES.map(
        (each) =>
          html`<li>
            <a
              href="${to('lang', each)}"
              lang="${HTML_LANGUAGES[each]}"
              title="${LANGUAGE_NAMES[each]}"
              ${each === language ? html`aria-current="true"` : ''}
              >${each.toUpperCase()}</a
            >
          </li>`,
      )}
    </ul>
    <ul aria-label="${words.theme}">
      ${THEMES.map(
        (each) =>
          html`<li>
            <a
              href="${to('theme', each)}"
              aria-label="${words[THEME_WORDS[each]]}"
              title="${words[THEME_WORDS[each]]}"
              ${each === theme ? html`aria-current="true"` : ''}
              >${THEME_SIGNS[each]}</a
            >
          </li>`,
      )}
    </ul>
  </div>`
}

function navigation({ base, path, words }: View, { path: to, word }: PageRow): Html | null {
  if (word === null) return null
  const isHere = to === '' ? path === '' : path === to || path.startsWith(`${to}/`)
  const current = isHere ? html`aria-current="${path === to ? 'page' : 'true'}"` : ''
  return html`<li><a href="${base}${to}" ${current}>${words[word]}</a></li>`
}

/** A page that says what is not there. */
export function missing({ words, base }: View, why: Word): Shown {
  const main = html`<h1>${words.notFound}</h1>
    <p>${words[why]}</p>
    <p><a class="button main" href="${base}">${words.toOverview}</a></p>`
  return { title: words.notFound, main }
}
