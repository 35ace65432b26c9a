// A header that plain.cu includes.
#ifndef PLAIN_CUH
#define PLAIN_CUH

struct pair {
    float scale;
    int shift;
};

#endif
