/** Acts for comments, posts and messages. */
import type { Cast } from '../cast.ts'
import type { Act } from '../play.ts'
import type { Comment, Conversation, Post, World } from '../world.ts'

export function talkActs(cast: Cast, world: World): Act[] {
  return [
    ...world.comments.flatMap((comment) => commenting(cast, comment)),
    ...world.posts.flatMap((post) => posting(cast, post)),
    ...world.postLikes.map(({ post, user, at }) => ({
      at,
      needs: [post, user],
      run: () => cast.as(user).posts.like(post.id),
    })),
    ...world.conversations.flatMap((conversation) => conversing(cast, conversation)),
  ]
}

function commenting(cast: Cast, comment: Comment): Act[] {
  const { at, author, body, content, parent, edit, deleted_at } = comment
  const acts: Act[] = [
    {
      at,
      needs: parent ? [author, content, parent] : [author, content],
      makes: comment,
      run: async () => {
        const answered = parent && { parent_id: parent.id }
        const made = await cast.as(author).comments.create(content.id, { body, ...answered })
        comment.id = made.comment.id
      },
    },
  ]
  if (edit) {
    const run = () => cast.as(author).comments.update(comment.id, { body: edit.body })
    acts.push({ at: edit.at, needs: [comment], run })
  }
  if (deleted_at !== null) {
    const run = () => cast.as(author).comments.delete(comment.id)
    acts.push({ at: deleted_at, needs: [], isLast: true, run })
  }
  return acts
}

function posting(cast: Cast, post: Post): Act[] {
  const { at, author, body, parent, deleted_at } = post
  const acts: Act[] = [
    {
      at,
      needs: parent ? [author, parent] : [author],
      makes: post,
      run: async () => {
        const made = parent
          ? await cast.as(author).posts.createReply(parent.id, { body })
          : await cast.as(author).posts.create({ body })
        post.id = made.post.id
      },
    },
  ]
  if (deleted_at !== null) {
    const run = () => cast.as(author).posts.delete(post.id)
    acts.push({ at: deleted_at, needs: [], isLast: true, run })
  }
  return acts
}

/** Returns the acts of a conversation. Each message or reading waits for the one before. */
function conversing(cast: Cast, conversation: Conversation): Act[] {
  const { at, creator, peer, messages, readings } = conversation
  const id = () => conversation.id
  return [
    {
      at,
      needs: [creator, peer],
      makes: conversation,
      run: async () => {
        const made = await cast.as(creator).conversations.create({ user_id: peer.id })
        conversation.id = made.conversation.id
      },
    },
    ...messages.map((message) => ({
      at: message.at,
      needs: [conversation],
      makes: conversation,
      run: () => cast.as(message.sender).conversations.sendMessage(id(), { body: message.body }),
    })),
    ...readings.map((reading) => ({
      at: reading.at,
      needs: [conversation],
      makes: conversation,
      run: () => cast.as(reading.user).conversations.markRead(id()),
    })),
  ]
}
