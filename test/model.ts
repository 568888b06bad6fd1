/**
 * An in-memory model of a small community, and the actions of its users. Counts, lists and flags must match the
 * acknowledged actions.
 */
import assert from 'node:assert/strict'
import type fc from 'fast-check'
import type { Anyone, Loose } from './actors.ts'

export interface World {
  /** Three users. The first one created the contents. */
  users: (Anyone & { id: string; handle: string })[]
  contents: string[]
  /** An admin. */
  moderator: Anyone
  /** Creates a session of a user, because a suspension has ended the earlier ones. */
  signIn(user: { id: string; handle: string }): Promise<Anyone>
  /** Waits until all sweeps and erasures are complete. */
  waitForJobs(): Promise<void>
}

/** Content, a comment or a post. */
export interface Text {
  id: string
  by: number
  isDeleted: boolean
  /** Id of the decision that hides this text, or an empty string. */
  hide: string
  /** Id of the `sweep` decision that hides this and other texts of the user, or an empty string. */
  sweep: string
}
export const fresh = { isDeleted: false, hide: '', sweep: '' }
export const isHidden = ({ hide, sweep }: Text) => hide !== '' || sweep !== ''

export class Model {
  readonly likes = new Set<string>()
  readonly bookmarks = new Set<string>()
  readonly follows = new Set<string>()
  readonly contents: Text[]
  /** Comments in order of creation. `content` is an index into the contents. */
  readonly comments: (Text & { content: number; body: string })[] = []
  readonly messages: { id: string; by: number; body: string }[] = []
  readonly unread = [0, 0]
  readonly posts: Text[] = []
  /** Blocks as `blocking blocked`: the indexes of the two users with a space between them. */
  readonly blocks = new Set<string>()
  readonly suspended = new Set<number>()
  readonly erased = new Set<number>()
  /** Ids of the decisions that hide all texts of a user, by the user's index. */
  readonly sweeps = new Map<number, string>()
  conversation = ''

  constructor(contents: string[]) {
    this.contents = contents.map((id) => ({ ...fresh, id, by: 0 }))
  }

  get texts(): Text[] {
    return [...this.contents, ...this.comments, ...this.posts]
  }

  isActive(user: number): boolean {
    return !this.suspended.has(user) && !this.erased.has(user)
  }

  isPublic(content: number): boolean {
    const found = this.contents[content]!
    return this.isActive(found.by) && !found.isDeleted && !isHidden(found)
  }

  isBlocked(left: number, right: number): boolean {
    return this.blocks.has(key(left, right)) || this.blocks.has(key(right, left))
  }
}

export interface Real {
  world: World
}

export type Command = fc.AsyncCommand<Model, Real>

export function act(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return { check, run, toString: () => name }
}

export async function ok(
  answer: Promise<{ status: number; data: Loose; text: string }>,
): Promise<Loose> {
  const { status, data, text } = await answer
  assert.ok(status < 300, text)
  return data
}

/** Returns an action of a user. It is skipped while the user is suspended or erased. */
export function own(
  by: number,
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command {
  return act(`${name} by ${by}`, run, (model) => model.isActive(by) && check(model))
}

export const key = (...parts: (string | number)[]) => parts.join(' ')
