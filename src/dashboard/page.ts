// Owns what a page of the dashboard is: its row in the table of pages, what it is given, and what it shows.
import type { html } from 'hono/html'
import type { RunningWorld } from '../world/runningWorld.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Reads } from './reads.ts'
import type { Language, Word, Words } from './words.ts'

/** A piece of a page, made by the tag `html`, which escapes every text that is put into it. */
export type Html = ReturnType<typeof html>

/** Themes that a person can choose; `auto` follows the system. */
export const THEMES = ['auto', 'light', 'dark'] as const
/** A theme. */
export type Theme = (typeof THEMES)[number]

/** What a page is given. */
export interface View {
  worlds: Worlds
  /** The world that the page is about. */
  world: RunningWorld
  reads: Reads
  words: Words
  language: Language
  theme: Theme
  /** Address of the overview of this world; every page's address begins with it. */
  base: string
  /** Address of the control API of this world. */
  control: string
  /** Path of the page below `base`, such as `/transactions`. */
  path: string
  query: Readonly<Record<string, string>>
}

/** What a page shows. */
export interface Shown {
  title: string
  /** What stands in `<main>`, its heading included. */
  main: Html
}

/** One page. Null for a record that does not exist. */
export interface PageRow {
  /** Below the address of the overview, such as `/transactions/:id`; the overview itself is empty. */
  path: string
  /** What the navigation calls it; null when only links lead there. */
  word: Word | null
  show(view: View, params: Readonly<Record<string, string>>): Shown | null
}
