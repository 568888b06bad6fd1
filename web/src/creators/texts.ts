import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  follow: ['팔로우', 'Follow'],
  followed: ['팔로잉', 'Following'],
  contents: ['작품', 'Works'],
  lists: ['프로필 목록', 'Profile lists'],
  tabs: {
    all: ['전체', 'All'],
    video: ['영상', 'Videos'],
    image: ['이미지', 'Images'],
    audio: ['오디오', 'Audio'],
    article: ['글', 'Articles'],
    game: ['게임', 'Games'],
    posts: ['커뮤니티', 'Posts'],
  },
  featured: ['대표 작품', 'Featured'],
  noPosts: (name: string) => [
    `${name}님은 아직 커뮤니티에 글을 쓰지 않았어요`,
    `${name} hasn't posted anything yet`,
  ],
  followers: ['팔로워', 'Followers'],
  following: ['팔로잉', 'Following'],
  joined: (date: string) => [`${date} 가입`, `Joined ${date}`],
  message: ['메시지 보내기', 'Send a message'],
  messageFailed: [
    '대화를 열지 못했어요. 다시 시도해 주세요.',
    "Couldn't open the conversation. Try again.",
  ],
  edit: ['프로필 수정', 'Edit profile'],
  nothingYet: (name: string) => [
    `${name}님은 아직 작품을 올리지 않았어요`,
    `${name} hasn't published anything yet`,
  ],
  nothingHelp: [
    '팔로우해 두면 첫 작품이 올라올 때 홈의 팔로잉 탭에서 볼 수 있어요.',
    'Follow them to see their first work in the Following tab on your home page.',
  ],
  nothingOfYours: ['첫 작품을 올려 보세요', 'Publish your first work'],
  nothingOfYoursHelp: [
    '영상, 이미지, 오디오, 글, 게임까지 내가 올린 작품이 모두 여기에 모여요.',
    'All your videos, images, audio, articles and games appear here.',
  ],
  publish: ['작품 올리기', 'Publish a work'],
  users: ['사람들', 'People'],
  followersOf: (name: string) => [`${name}님의 팔로워`, `Followers of ${name}`],
  followingOf: (name: string) => [`${name}님이 팔로우하는 사람`, `People ${name} follows`],
  backTo: (name: string) => [`${name}님의 프로필`, `${name}'s profile`],
  nobodyFollows: ['아직 팔로워가 없어요', 'No followers yet'],
  nobodyFollowsHelp: [
    '이 사람을 팔로우하면 여기에 이름이 올라와요.',
    'Be the first to follow them.',
  ],
  nobodyFollowsYouHelp: [
    '작품을 올리거나 댓글로 이야기를 나누면 사람들이 찾아와요.',
    'Publish something or join a conversation, and people will find you.',
  ],
  followsNobody: ['아직 아무도 팔로우하지 않아요', 'Not following anyone yet'],
  followsNobodyHelp: ['팔로우하는 사람이 생기면 여기에 모여요.', 'People they follow appear here.'],
  youFollowNobodyHelp: [
    '마음에 드는 크리에이터를 팔로우하면 새 작품을 홈에서 바로 볼 수 있어요.',
    'Follow creators you like to see their new works on your home page.',
  ],
  findSomebody: ['인기 작품 둘러보기', 'Browse popular works'],
})
