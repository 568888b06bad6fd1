/** Documents of the search index. The transaction that writes texts also writes their document. */
import type { Tx } from '../db/handle.ts'
import { deleteRows, findRow, insertAll, sendPut } from '../db/rows.ts'
import type { ContentRow, UserRow } from '../db/tables.ts'
import { TOKENS_VERSION, tokensOf } from './tokens.ts'

/** First letters of the tokens, by the kind of the text. `names` are handles and display names. */
export const KINDS = { contents: 'c', users: 'u', names: 'n', posts: 'p', tags: 't' } as const

/** Maximum characters of an article that are searched. */
export const BODY_MAX = 20_000

export function searchedBody(body: string): string {
  if (body.length <= BODY_MAX) return body
  return Array.from(body.slice(0, 2 * BODY_MAX))
    .slice(0, BODY_MAX)
    .join('')
}

export function textOfTags(tags: string): string {
  return (JSON.parse(tags) as string[]).join(', ')
}

/**
 * Returns the token that all contents of this category or type have. Texts never produce it, because the tokeniser
 * drops the middle dot.
 */
export function markOf(categoryOrType: string): string {
  return `·${categoryOrType}`
}

function join(kind: string, tokens: Iterable<string>): string {
  return [...tokens].map((token) => kind + token).join(' ')
}

type ContentTexts = Pick<ContentRow, 'title' | 'description' | 'tags' | 'category' | 'type'>

export function contentTokens(row: ContentTexts, body: string | null): string {
  const { title, description, tags, category, type } = row
  const texts = [title, description, textOfTags(tags), searchedBody(body ?? '')]
  return join(KINDS.contents, [...tokensOf(texts), markOf(category), markOf(type)])
}

export function userTokens(row: Pick<UserRow, 'handle' | 'display_name' | 'bio'>): string {
  const names = tokensOf([row.handle, row.display_name])
  const texts = new Set([...names, ...tokensOf([row.bio])])
  return `${join(KINDS.names, names)} ${join(KINDS.users, texts)}`
}

export function tagTokens(tag: string): string {
  return join(KINDS.tags, tokensOf([tag]))
}

export function postTokens(body: string): string {
  return join(KINDS.posts, tokensOf([body]))
}

async function put(tx: Tx, id: string, tokens: string): Promise<void> {
  await sendPut(tx, 'search_documents', ['id'], { id, version: TOKENS_VERSION, tokens })
}

/** Indexes a content item. Without `body`, reads the stored text of an article. */
export async function indexContent(
  tx: Tx,
  row: ContentTexts & { id: string },
  body?: string | null,
): Promise<void> {
  const isStored = body === undefined && row.type === 'article'
  const stored = isStored ? await findRow(tx, 'content_texts', { content_id: row.id }) : undefined
  await put(tx, row.id, contentTokens(row, body ?? stored?.body ?? null))
}

export async function indexUser(
  tx: Tx,
  row: Pick<UserRow, 'id' | 'handle' | 'display_name' | 'bio'>,
): Promise<void> {
  await put(tx, row.id, userTokens(row))
}

export async function indexPost(tx: Tx, id: string, body: string): Promise<void> {
  await put(tx, id, postTokens(body))
}

export function tagId(tag: string): string {
  return `#${tag}`
}

/** Indexes the tags that are not indexed yet. Inserts them in order, so that transactions cannot deadlock. */
export async function indexTags(tx: Tx, tags: readonly string[]): Promise<void> {
  const rows = [...new Set(tags)].sort().map((tag) => {
    return { id: tagId(tag), version: TOKENS_VERSION, tokens: tagTokens(tag) }
  })
  await insertAll(tx, 'search_documents', rows)
}

export async function deleteTagDocuments(tx: Tx, tags: readonly string[]): Promise<void> {
  await deleteRows(tx, 'search_documents', { id: tags.map(tagId) })
}

/** Removes a content item, user or post from the index. */
export async function deleteDocument(tx: Tx, id: string): Promise<void> {
  await deleteRows(tx, 'search_documents', { id })
}
