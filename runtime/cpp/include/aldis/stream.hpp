// Messages in streams of bytes: whole ones out of what comes, framed ones into what leaves, and requests with their answers.
#pragma once

#include "stream/frames.hpp"
#include "stream/messages.hpp"
#include "stream/requests.hpp"
