// Owns the page of an interface: its frame, its contents with a filter, the panel of keys, and its operations by group.
import { html } from 'hono/html'
import { operationPart } from './docsOperation.ts'
import { prose } from './docsText.ts'
import { documentOf, switches, UI_BASE } from './layout.ts'
import type { OpenApiDocument } from '../contract/openapiDocument.ts'
import type { KeyPair } from '../world/keys.ts'
import type { Shared, Shown } from './docsShapes.ts'
import type { Place, Settings } from './layout.ts'
import type { Html } from './page.ts'
import type { Words } from './words.ts'

/** What the page of an interface is made of. */
export interface DocsView extends Place {
  which: 'gateway' | 'control'
  document: OpenApiDocument
  /** Where the document itself is. */
  documentPath: string
  operations: readonly Shown[]
  kept: Shared['kept']
  /** Id of the world that calls are made for. */
  world: string
  /** Worlds to choose from; none for who may not know them. */
  worlds: readonly string[]
  /** Null for who may not know them. */
  keys: KeyPair | null
  /** Where who may not know them signs in; null for who may. */
  signIn: string | null
}

/** Addresses of the pages of the two interfaces. */
export const DOCS_PATHS = { gateway: '/docs', control: '/docs/control' } as const
const PAGE_WORDS = { gateway: 'docsGateway', control: 'docsControl' } as const

/** The page of an interface. */
export function docsPage(view: DocsView): Html {
  const { words, document } = view
  const shared = { words, schemas: document.components.schemas, kept: view.kept }
  const groups = groupsOf(view)
  const body = html`<body
    class="docs"
    data-unreachable="${words.unreachable}"
    data-sending="${words.docsSending}"
    data-headers="${words.docsHeaders}"
    data-empty="${words.docsEmptyAnswer}"
    data-bad-json="${words.docsBadJson}"
  >
    <a class="skip" href="#main">${words.skip}</a>
    <header class="top">
      <a class="brand" href="${UI_BASE}"
        ><img src="${UI_BASE}/assets/icon.svg" alt="" width="28" height="28" /><span
          >${words.product}</span
        ></a
      >
      <nav class="interfaces" aria-label="${words.navigation}">${links(view)}</nav>
      ${switches(view)}
    </header>
    <div class="beside">
      ${contents(words, groups)}
      <main id="main" tabindex="-1">
        <h1>${document.info.title} <span class="faint version">${document.info.version}</span></h1>
        <noscript><p class="hint no-script">${words.docsNoScript}</p></noscript>
        <div class="prose">${prose(document.info.description)}</div>
        ${keysPart(view)}
        <p class="empty" id="nothing" hidden>${words.docsNothing}</p>
        ${groups.map((group) => groupPart(shared, group))}
      </main>
    </div>
  </body>`
  const files = html`<link rel="stylesheet" href="${UI_BASE}/assets/docs.css" />
    <script src="${UI_BASE}/assets/docs.js" type="module"></script>`
  return documentOf(view, `${document.info.title} · ${words.product}`, files, body)
}

/** A page that says that there is no such world. */
export function docsMissing(settings: Settings, which: DocsView['which']): Html {
  const { words } = settings
  const body = html`<body class="alone">
    <main id="main" class="card">
      <h1>${words.notFound}</h1>
      <p>${words.noWorld}</p>
      <p><a class="button main" href="${DOCS_PATHS[which]}">${words[PAGE_WORDS[which]]}</a></p>
    </main>
  </body>`
  return documentOf(settings, `${words.notFound} · ${words.product}`, '', body)
}

interface Group {
  name: string
  description: string
  operations: readonly Shown[]
}

/** The operations by tag, in the order of the document; a tag that it does not describe comes last. */
function groupsOf({ document, operations }: DocsView): Group[] {
  const described = new Map(document.tags.map(({ name, description }) => [name, description]))
  for (const { operation } of operations) {
    for (const tag of operation.tags) described.set(tag, described.get(tag) ?? '')
  }
  return [...described].flatMap(([name, description]) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return own.length === 0 ? [] : [{ name, description, operations: own }]
  })
}

function links({ words, which, documentPath }: DocsView): Html {
  const current = (page: DocsView['which']): Html | '' => (page === which ? html`aria-current="page"` : '')
  const link = (page: DocsView['which']): Html =>
    html`<a href="${DOCS_PATHS[page]}" ${current(page)}>${words[PAGE_WORDS[page]]}</a>`
  return html`${link('gateway')} ${link('control')} <a href="${documentPath}">${words.docsFile}</a>`
}

/** The operations by group, in short; the filter narrows them and the sections alike. */
function contents(words: Words, groups: readonly Group[]): Html {
  return html`<div class="contents">
    <label class="field">
      <span>${words.docsFilter}</span>
      <input
        id="filter"
        type="search"
        placeholder="${words.docsFilterHint}"
        autocomplete="off"
        spellcheck="false"
      />
    </label>
    <nav aria-label="${words.docsContents}" tabindex="0">
      ${groups.map(
        ({ name, operations }) =>
          html`<div data-group>
            <p>${name}</p>
            <ul>
              ${operations.map(
                ({ id, method, name: called }) =>
                  html`<li data-for="${id}">
                    <a href="#${id}"
                      ><span class="verb ${method.toLowerCase()}">${method}</span> <span>${called}</span></a
                    >
                  </li>`,
              )}
            </ul>
          </div>`,
      )}
    </nav>
  </div>`
}

function groupPart(shared: Shared, { name, description, operations }: Group): Html {
  const id = `group-${name.toLowerCase()}`
  return html`<section class="group" aria-labelledby="${id}" data-group>
    <h2 id="${id}">${name}</h2>
    <div class="faint">${prose(description)}</div>
    ${operations.map((shown) => operationPart(shared, shown))}
  </section>`
}

/** Whose calls they are: the keys of a world, or the world alone for the control API. */
function keysPart(view: DocsView): Html | null {
  const { words, which, worlds, world, keys, signIn } = view
  const signInPart =
    signIn !== null &&
    html`<p><a class="button" href="${signIn}">${words.signIn}</a> ${words.docsSignInWhy}</p>`
  const picker =
    worlds.length > 0 &&
    html`<form class="action" method="get" action="${DOCS_PATHS[which]}">
      <label class="field">
        <span>${words.world}</span>
        <select id="world" name="world">
          ${worlds.map((id) => html`<option ${id === world ? html`selected` : ''}>${id}</option>`)}
        </select>
      </label>
      <button class="button">${words.openWorld}</button>
    </form>`
  if (which === 'control') {
    return html`<section class="card keys">
      ${picker} ${signInPart || html`<p class="faint">${words.docsControlWhy}</p>`}
    </section>`
  }
  const input = (name: string, label: string, value: string): Html =>
    html`<label class="field"
      ><span>${label}</span>
      <input id="${name}" name="${name}" value="${value}" type="text" autocomplete="off" spellcheck="false"
    /></label>`
  return html`<section class="card keys" aria-labelledby="keys-title">
    <h2 id="keys-title">${words.docsKeys}</h2>
    ${picker} ${signInPart}
    <form class="action" id="keys" autocomplete="off">
      ${input('publicKey', words.docsPublicKey, keys?.publicKey ?? '')}
      ${input('secretKey', words.docsSecretKey, keys?.secretKey ?? '')}
    </form>
    <p class="faint">${words.docsKeysWhy}</p>
  </section>`
}
